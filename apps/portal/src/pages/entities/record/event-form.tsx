import { type EntityWithPeriods, EVENT_TYPES } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useRef, useState } from 'preact/hooks';
import { page } from '../../../configuration.js';
import { useLeave } from '../../../hooks/leaving.js';
import { LARGEST_PAGE, readAll } from '../../../hooks/use-listing.js';
import { orNone, refusedAt } from '../../../refusal.js';
import { useApp } from '../../../session/context.js';
import { announce } from '../../../ui/announcements.js';
import { Button, LinkButton } from '../../../ui/button.js';
import { SelectField, TextField } from '../../../ui/form/field.js';
import { Form, useForm } from '../../../ui/form/form.js';
import { RecordChoice } from '../../../ui/form/record-choice.js';
import { monthAround } from '../../billing/window.js';
import type { EventType } from '../entity.js';
import { texts } from '../entity-texts.js';
import { momentsAt } from '../local-time.js';
import { useIsps } from '../parts.js';
import {
  attributesBefore,
  codesOf,
  type EventValues,
  eventText,
  hasPart,
  momentOf,
  NO_VALUES,
  recordEvent,
  requiredOf,
  SUBSCRIPTION,
  valuesAt,
} from './event.js';
import { type Preview, previewOf } from './preview.js';
import { PreviewSection } from './preview-section.js';

const ARTICLES = 'sys_attributes.article_codes';

/** The form for an event of a type, which its tabs choose. */
export function EventForm(props: {
  /** The form asks for it if it is absent. */
  entity_id?: string;
  /** The types that may be recorded. */
  types: readonly EventType[];
  /** Path of this page; the type is in its query. */
  path: string;
  /** The entity whose subscription an update changes: the form contains what runs at its time, unless the person has edited it. */
  updates?: EntityWithPeriods | undefined;
}) {
  const t = texts();
  const { entity_id, types, path, updates } = props;
  const { fibre } = useApp();
  const { query } = useLocation();
  const leave = useLeave();
  const isps = useIsps();
  const type = EVENT_TYPES.find((one) => one === query['type']) ?? types[0]!;
  const filledIn = useRef(updates && valuesAt(updates));
  const form = useForm<EventValues>({
    initial: { ...NO_VALUES, entity_id: entity_id ?? '', ...filledIn.current },
    required: requiredOf(type),
    save: async (values) => {
      const { event, outcome } = await recordEvent(fibre, await textOf(values));
      announce(outcome === 'created' ? t.wasCreated(t[type]) : t[outcome]);
      await leave(`entities/${event.entity_id}`);
    },
  });
  const prepare = (values: EventValues) => {
    const meant = momentsAt(values.event_at, values.event_timezone);
    if (meant === undefined) throw refusedAt(['event_at', 'event_timezone'], t.unknownMoment);
    if (meant.length === 0) throw refusedAt('event_at', t.skipped);
    const at = momentOf(values);
    if (at === undefined) throw refusedAt('which', t.twiceHint);
    return at;
  };
  const textOf = async (values: EventValues): Promise<string> => {
    const at = prepare(values);
    const id = values.entity_id.trim();
    const kept = values.usr_attributes === '' && entity_id !== undefined ? await attributesBefore(fibre, id, type, at) : undefined;
    return eventText(type, at, values, kept);
  };
  const [preview, setPreview] = useState<Preview & { readonly of: string }>();
  const check = async (values: EventValues): Promise<void> => {
    const at = prepare(values);
    const { outcome } = await fibre.events.check(await textOf(values));
    const id = values.entity_id.trim();
    const event = { type, at, article_codes: codesOf(values[ARTICLES]), partner_id: values['sys_attributes.partner_id'].trim() };
    const [entity, { items: closings }] = await Promise.all([
      orNone(fibre.entities.read(id)),
      readAll(fibre.closings.list({ _page_size: LARGEST_PAGE })),
    ]);
    const billed = { closings, monthEnd: monthAround(at).to };
    setPreview({ ...previewOf(outcome, entity, event, billed), of: JSON.stringify([type, values]) });
  };
  /** The field of a part of the moment; fields that the person has not edited follow the moment at once. */
  const momentField: typeof form.field = (name) => ({
    ...form.field(name),
    onChange: (value) => {
      form.set(name, value);
      const before = filledIn.current;
      if (!updates || !before) return;
      const now = (filledIn.current = valuesAt(updates, momentOf({ ...form.values, [name]: value })));
      for (const one of SUBSCRIPTION) if (form.values[one] === before[one]) form.set(one, now[one]);
    },
  });
  const meant = momentsAt(form.values.event_at, form.values.event_timezone) ?? [];
  const moment = momentOf(form.values);
  // A requested type can be chosen even if it is unusual, because an event may be inserted in the past.
  const choices = types.includes(type) ? types : [...types, type];
  return (
    <div class="section">
      <nav class="tabs" aria-label={t.type}>
        {choices.map((one) => (
          <a key={one} class="button" href={page(`${path}?type=${one}`)} aria-current={one === type ? 'page' : undefined}>
            {t[one]}
          </a>
        ))}
      </nav>
      <Form
        form={form}
        submitLabel={t.record}
        other={{ label: t.check, does: check }}
        conflict={<a href={page(`entities/${form.values.entity_id.trim()}`)}>{t.showEvents}</a>}
        actions={<LinkButton label={t.cancel} to={entity_id === undefined ? 'entities' : `entities/${entity_id}`} />}
      >
        {entity_id === undefined && (
          <div class="with-button">
            <TextField {...form.field('entity_id')} label={t.id} hint={t.idHint} />
            <Button label={t.makeId} look="small" onClick={() => form.set('entity_id', crypto.randomUUID())} />
          </div>
        )}
        <TextField
          {...momentField('event_at')}
          label={t.place}
          type="datetime-local"
          hint={type === 'notification' ? t.anyTimeHint : t.pastHint}
        />
        <TextField {...momentField('event_timezone')} label={t.zone} hint={t.eventZoneHint} />
        {meant.length > 1 && (
          <SelectField
            {...momentField('which')}
            isRequired
            label={t.twice}
            hint={t.twiceHint}
            options={[
              { value: '', label: t.choose },
              ...[t.first, t.second].map((name, index) => ({ value: meant[index]!, label: name(meant[index]!.slice(-6)) })),
            ]}
          />
        )}
        {moment && (
          <p class="fine">
            {t.isExactly} <code>{moment}</code>
          </p>
        )}
        {hasPart(type, 'sys_attributes.partner_id') && (
          <>
            <RecordChoice {...form.field('sys_attributes.partner_id')} label={t.isp} records={isps} />
            {form.field('sys_attributes.partner_id').error?.text.includes('is not a registered ISP') && (
              <p>
                <a href={page(`isps/new?partner_id=${encodeURIComponent(form.values['sys_attributes.partner_id'].trim())}`)}>
                  {t.register}
                </a>
              </p>
            )}
          </>
        )}
        {hasPart(type, 'sys_attributes.article_codes') && (
          <>
            <TextField {...form.field(ARTICLES)} label={t.articles} hint={t.articlesHint} isLong />
            <TextField {...form.field('sys_attributes.option82')} label="option82" hint={t.option82Hint} />
            <TextField {...form.field('sys_attributes.partner_reference')} label={t.partnerReference} />
          </>
        )}
        <TextField {...form.field('usr_reference')} label={t.usrReference} />
        <TextField {...form.field('comment')} label={t.comment} isLong />
        <TextField {...form.field('usr_attributes')} label={t.usrAttributes} hint={t.usrAttributesHint} isLong />
      </Form>
      {preview?.of === JSON.stringify([type, form.values]) && <PreviewSection preview={preview} isps={isps} />}
    </div>
  );
}
