import { useLoad } from '../../../hooks/use-load.js';
import { useApp } from '../../../session/context.js';
import { Button } from '../../../ui/button.js';
import { type Filters, searchFilters } from '../access-node.js';
import { texts } from '../coverage-texts.js';
import { nodesByWords } from './by-words.js';

/** Milliseconds without a key press after which the service is asked. */
const PAUSE_MS = 150;
const [LEAST, MOST] = [3, 6];

/** The addresses of nodes that have the words of a text, to choose from while typing. */
export function AddressSuggestions({ typed, filters, onChoose }: { typed: string; filters: Filters; onChoose: (address: string) => void }) {
  const { fibre } = useApp();
  const text = typed.trim();
  const load = async (signal: AbortSignal): Promise<string[]> => {
    if (text.length < LEAST) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (signal.aborted) return [];
    const nodes = await nodesByWords(fibre, text, searchFilters(filters), signal);
    return [...new Set(nodes.flatMap(({ address }) => address ?? []))].slice(0, MOST);
  };
  const { data = [] } = useLoad(load, JSON.stringify([text, searchFilters(filters)]));
  if (data.length === 0) return null;
  return (
    // A click leaves the focus in the input, which would otherwise search for what was typed.
    <ul class="lines" aria-label={texts().addresses} onMouseDown={(event) => event.preventDefault()}>
      {data.map((address) => (
        <li key={address}>
          <Button label={<bdi>{address}</bdi>} look="small" onClick={() => onChoose(address)} />
        </li>
      ))}
    </ul>
  );
}
