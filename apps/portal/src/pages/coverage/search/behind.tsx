import type { PublishedRelation } from '@fibre/client';
import { Fragment } from 'preact';
import { texts } from '../coverage-texts.js';

/** Whose a node or line is, whom to contact and where to order. @param relation is absent until it is loaded, or if its operator has not created it */
export function Behind({ tenant, relation }: { tenant: string; relation: PublishedRelation | undefined }) {
  const t = texts();
  const { operator = tenant, pip, contact_name, contact_email, contact_phone, order_url } = relation ?? {};
  const contact = [contact_name, contact_email, contact_phone].filter((word) => word !== undefined);
  return (
    <>
      <p class="fine">
        {t.operator} <strong>{operator}</strong>
        {pip !== undefined && ` · ${t.pip} ${pip}`}
      </p>
      {contact.length > 0 && (
        <p class="fine">
          {t.contact}{' '}
          {contact.map((word, index) => (
            <Fragment key={index}>
              {index > 0 && ', '}
              {word === contact_email ? <a href={`mailto:${encodeURIComponent(word).replace('%40', '@')}`}>{word}</a> : word}
            </Fragment>
          ))}
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
