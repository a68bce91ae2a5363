import { Fragment } from 'preact';

/** Whom to call or write to, as far as it is known. */
export interface Contacts {
  readonly contact_name?: string;
  readonly contact_email?: string;
  readonly contact_phone?: string;
}

export const hasContact = ({ contact_name, contact_email, contact_phone }: Contacts): boolean =>
  (contact_name ?? contact_email ?? contact_phone) !== undefined;

/** A person or team in a line, with a link to write to. */
export function Contact({ contact_name, contact_email, contact_phone }: Contacts) {
  const words = [contact_name, contact_email, contact_phone].filter((word) => word !== undefined);
  return (
    <>
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && ', '}
          {word === contact_email ? <a href={`mailto:${encodeURIComponent(word).replace('%40', '@')}`}>{word}</a> : <bdi>{word}</bdi>}
        </Fragment>
      ))}
    </>
  );
}
