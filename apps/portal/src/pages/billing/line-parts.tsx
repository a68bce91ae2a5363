import { page } from '../../configuration.js';
import { addressWith } from '../../hooks/use-filters.js';
import { LARGEST_PAGE, readAll } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScope } from '../../session/context.js';
import { formatMoment } from '../../texts.js';
import { Contact, type Contacts, hasContact } from '../../ui/contact.js';
import { Facts } from '../../ui/page.js';
import type { Closed, Ledger } from './ledger.js';
import { type Line, Party } from './parts.js';
import { texts } from './texts.js';
import { titleOf, type Window } from './window.js';

/** What the pages below a month have in common. */
export interface LineProps {
  readonly ledger: Ledger;
  readonly window: Window;
  /** The closing that is shown, if it is not what is recorded now. */
  readonly closing: Closed | undefined;
}

/** The way back to the months, to the month and, if given, to the line. */
export function Above({ window, line }: { window: Window; line?: Line | undefined }) {
  const t = texts();
  return (
    <>
      <a href={page('billing')}>{t.billing}</a> › <a href={addressWith({ line: '', counted: '', entity: '' })}>{titleOf(window)}</a>
      {line && (
        <>
          {' '}
          › <a href={addressWith({ entity: '' })}>{line.article_code}</a>
        </>
      )}
    </>
  );
}

/** Who charges whom, by which invoice; for an ISP also whom to ask. */
export function WhoseFacts(
  props: Pick<LineProps, 'ledger' | 'closing'> & {
    /** The other side. */
    party: string;
    /** The ISP's own reference of what is shown. */
    reference?: string | undefined;
  },
) {
  const { ledger, closing, party, reference } = props;
  const t = texts();
  const contacts = useContacts(ledger, party);
  return (
    <Facts
      facts={[
        [ledger.isps ? t.isp : t.operator, <Party ledger={ledger} id={party} />],
        [t.reference, closing?.reference],
        [t.asRecorded, closing ? formatMoment(closing.recorded_until) : t.now],
        [t.yourReference, reference],
        [
          t.contact,
          contacts.length > 0 ? (
            <ul>
              {contacts.map(({ operator, ...contact }) => (
                <li key={JSON.stringify(contact)}>
                  {operator !== undefined && (
                    <>
                      <bdi>{operator}</bdi> ·{' '}
                    </>
                  )}
                  <Contact {...contact} />
                </li>
              ))}
            </ul>
          ) : undefined,
        ],
      ]}
    />
  );
}

/** A contact, and the operator's name. */
type Published = Contacts & { readonly operator?: string | undefined };

/** Different contacts that an operator has published with its relations, for a person of an ISP who may read them. */
function useContacts({ isps }: Ledger, tenant: string): readonly Published[] {
  const { fibre } = useApp();
  const isShown = useScope('coverage:search') && !isps;
  const load = async (signal: AbortSignal): Promise<readonly Published[]> => {
    if (!isShown) return [];
    const { items } = await readAll(fibre.coverage.publishedRelations.list({ tenant, _page_size: LARGEST_PAGE }, { signal }));
    const contacts = items
      .filter(hasContact)
      .map(({ operator, contact_name, contact_email, contact_phone }): Published => ({
        operator,
        contact_name,
        contact_email,
        contact_phone,
      }));
    return [...new Map(contacts.map((contact) => [JSON.stringify(contact), contact])).values()];
  };
  // Without a contact, the page says everything else.
  return useLoad(load, `${tenant} ${isShown}`).data ?? [];
}
