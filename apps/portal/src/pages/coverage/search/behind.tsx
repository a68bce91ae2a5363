import type { PublishedRelation } from '@fibre/client';
import { Contact, hasContact } from '../../../ui/contact.js';
import { texts } from './search-texts.js';

/** Whose a node or line is, whom to contact and where to order. @param relation is absent until it is loaded, or if its operator has not created it */
export function Behind({ tenant, relation }: { tenant: string; relation: PublishedRelation | undefined }) {
  const t = texts();
  const { operator = tenant, pip, order_url } = relation ?? {};
  return (
    <>
      <p class="fine">
        {t.operator} <strong>{operator}</strong>
        {pip !== undefined && ` · ${t.pip} ${pip}`}
      </p>
      {relation && hasContact(relation) && (
        <p class="fine">
          {t.contact} <Contact {...relation} />
        </p>
      )}
      {order_url !== undefined && (
        <p class="fine">
          <a href={order_url} target="_blank" rel="noopener noreferrer">
            {t.order}
            <span class="visually-hidden"> {operator}</span>
          </a>
        </p>
      )}
    </>
  );
}
