import { useLoad } from '../../../hooks/use-load.js';
import { useApp } from '../../../session/context.js';
import { Button } from '../../../ui/button.js';
import { type Filters, searchFilters } from '../access-node.js';
import { texts } from './search-texts.js';
import { nodesByWords } from './by-words.js';

/** Milliseconds without a key press after which the service is asked. */
const PAUSE_MS = 150;
const [LEAST, MOST] = [3, 6];

interface Suggested {
  readonly addresses: readonly string[];
  readonly hasMore: boolean;
}

/** The addresses of nodes that have the words of a text, to choose from while typing. */
export function AddressSuggestions({ typed, filters, onChoose }: { typed: string; filters: Filters; onChoose: (address: string) => void }) {
  const { fibre } = useApp();
  const text = typed.trim();
  const load = async (signal: AbortSignal): Promise<Suggested | undefined> => {
    if (text.length < LEAST) return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (signal.aborted) return undefined;
    const { found, hasMore } = await nodesByWords(fibre, text, searchFilters(filters), signal);
    const addresses = [...new Set(found.flatMap(({ address }) => address ?? []))];
    return { addresses: addresses.slice(0, MOST), hasMore: hasMore || addresses.length > MOST };
  };
  const { data } = useLoad(load, JSON.stringify([text, searchFilters(filters)]));
  if (!data || data.addresses.length === 0) return null;
  return (
    // A click leaves the focus in the input, which would otherwise search for what was typed.
    <ul class="lines" aria-label={texts().addresses} onMouseDown={(event) => event.preventDefault()}>
      {data.addresses.map((address) => (
        <li key={address}>
          <Button label={<bdi>{address}</bdi>} look="small" onClick={() => onChoose(address)} />
        </li>
      ))}
      {data.hasMore && <li class="fine">{texts().moreByWords}</li>}
    </ul>
  );
}
