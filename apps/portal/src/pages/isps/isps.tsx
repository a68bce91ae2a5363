import type { Isp } from '@fibre/client';
import { page } from '../../configuration.js';
import { useLeave } from '../../hooks/leaving.js';
import { useApp } from '../../session/context.js';
import { defineTexts } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { DeleteButton } from '../../ui/dialog.js';
import { ListPage } from '../records/list-page.js';
import { NewPage } from '../records/record-form.js';
import { bodyOf, type RecordKind } from '../records/record-kind.js';
import { RecordPage } from '../records/record-page.js';

const texts = defineTexts({
  create: ['New ISP', 'Neuer ISP'],
  explanation: ['The providers that sell on your network.', 'Die Internetanbieter, die in Ihrem Netz verkaufen.'],
  none: ['There are no ISPs yet.', 'Es gibt noch keine ISPs.'],
  nameHint: ['Your own name for it; unique among your ISPs.', 'Ihre eigene Bezeichnung, einmalig unter Ihren ISPs.'],
  email: ['E-mail', 'E-Mail'],
  emailHint: ['Contact address.', 'Kontaktadresse.'],
  tenant: ['Tenant of the ISP', 'Mandant des ISP'],
  tenantHint: [
    'Named in the tokens of its people, who may then see what you charge them.',
    'Steht in den Tokens seiner Leute, die dann sehen dürfen, was Sie ihnen verrechnen.',
  ],
  idHint: ['Only if your events already refer to this ISP.', 'Nur wenn Ihre Ereignisse diesen ISP schon nennen.'],
  idTaken: ['Another ISP is registered under this partner_id.', 'Unter dieser partner_id ist schon ein anderer ISP eingetragen.'],
  use: ['Events refer to the ISP by its partner_id.', 'Ereignisse verweisen mit der partner_id auf den ISP.'],
  entities: ['Entities with this ISP', 'Anschlüsse mit diesem ISP'],
  remove: ['Delete the ISP', 'ISP löschen'],
  removeTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  wasDeleted: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
  removeWarning: ['The ISP will be removed from the registry.', 'Er ist dann nicht mehr im Verzeichnis.'],
});

const isps: RecordKind<Isp> = {
  path: 'isps',
  idName: 'partner_id',
  writeScope: 'events:write',
  texts,
  fields: () => {
    const t = texts();
    return [
      { name: 'name', label: t.name, hint: t.nameHint, isRequired: true },
      { name: 'email', label: t.email, hint: t.emailHint, type: 'email' },
      { name: 'comment', label: t.comment, isLong: true },
      { name: 'isp_tenant', label: t.tenant, hint: t.tenantHint },
    ];
  },
  columns: () => [{ title: texts().email, cell: ({ email }) => email }],
  link: ({ partner_id }) => <a href={page(`entities?partner_id=${partner_id}`)}>{texts().entities}</a>,
  list: (fibre, query, options) => fibre.isps.list(query, options),
  read: (fibre, id, options) => fibre.isps.read(id, options),
  create: ({ isps }, values, id) => (id === undefined ? isps.create(bodyOf(values)) : isps.put(id, bodyOf(values))),
  update: ({ isps }, id, values, ifMatch) => isps.put(id, bodyOf(values), { ifMatch }),
  Remove: RemoveIsp,
};

/** Deletes an ISP that no event names, unless someone else has changed it since it was loaded. */
function RemoveIsp({ record, etag, reload }: { record: Isp; etag: string; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const remove = async (): Promise<void> => {
    await fibre.isps.delete(record.partner_id, { ifMatch: etag });
    announce(t.wasDeleted(record.name));
    await leave('isps');
  };
  return (
    <DeleteButton
      label={t.remove}
      title={t.removeTitle(record.name)}
      warning={t.removeWarning}
      scope="events:write"
      remove={remove}
      onOutdated={reload}
    />
  );
}

export const IspsPage = () => <ListPage kind={isps} />;
export const NewIspPage = () => <NewPage kind={isps} />;
export const IspPage = () => <RecordPage kind={isps} />;
