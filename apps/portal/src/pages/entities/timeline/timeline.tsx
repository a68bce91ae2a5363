import { useState } from 'preact/hooks';
import { formatMoment, formatTick } from '../../../texts.js';
import type { Period, RecordedEvent } from '@fibre/client';
import { chargesOf } from '../entity.js';
import { texts } from '../entity-texts.js';
import type { Records } from '../../../ui/form/record-choice.js';
import { ownZone } from '../local-time.js';
import { scaleOf, ticksOf } from './timeline-scale.js';

/** Half of the labels are hidden in a narrow window. */
const MOST_TICKS = 6;
/** The room that a word needs, as a percentage of the width. */
const ROOM = 12;
/** Number of things that a key moves on by. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };

/**
 * Draws the periods, updates and notifications of an entity over time. The pointer or the arrow keys choose one of them, which is then
 * told as text; the tables on the page show the same data.
 */
export function Timeline(props: { periods: readonly Period[]; notifications: readonly RecordedEvent[]; isps: Records }) {
  const t = texts();
  const zone = ownZone();
  const { periods, notifications } = props;
  const charges = chargesOf(periods);
  const nameOf = (partner_id: string): string => props.isps.nameOf.get(partner_id) ?? partner_id;
  const told = (at: string, ...words: readonly [string, ...(string | null | undefined)[]]) => ({
    at,
    what: words[0],
    text: [formatMoment(at, zone), ...words].filter(Boolean).join(' · '),
  });
  /** All that happened, in order. */
  const all = [
    ...charges.flatMap(({ from, to, partner_id, article_codes, isFirst, isLast }) => [
      told(from, isFirst ? t.activation : t.update, nameOf(partner_id), article_codes.join(', ')),
      ...(isLast && to !== undefined ? [told(to, t.deactivation, nameOf(partner_id))] : []),
    ]),
    ...notifications.map(({ event_at, comment }) => told(event_at, t.notification, comment)),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const [chosen, choose] = useState<number>();
  const shown = chosen === undefined ? undefined : all[chosen];

  const now = new Date().toISOString();
  const scale = scaleOf([now, ...all.map(({ at }) => at)].map(Date.parse), 100);
  const x = (at: string): number => scale.x(Date.parse(at));
  const place = (from: string, to = from) => ({ left: `${x(from)}%`, width: `${x(to) - x(from)}%` });
  const { ticks, unit } = ticksOf(scale, MOST_TICKS);
  /** What the marks are, in words where there is room. */
  const words = all.reduce<typeof all>(
    (named, one) => (named.length > 0 && x(one.at) - x(named.at(-1)!.at) < ROOM ? named : [...named, one]),
    [],
  );
  return (
    <figure class="timeline">
      <div
        class="drawing"
        role="slider"
        tabIndex={0}
        aria-valuemin={1}
        aria-valuemax={all.length}
        aria-valuenow={(chosen ?? 0) + 1}
        aria-valuetext={(shown ?? all[0])?.text}
        aria-label={t.timelineOf(formatMoment(scale.from, zone), formatMoment(scale.to, zone))}
        onFocus={() => choose(chosen ?? 0)}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          choose(Math.min(all.length - 1, Math.max(0, (chosen ?? 0) + step)));
        }}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const distances = all.map(({ at }) => Math.abs(x(at) - (100 * (clientX - left)) / width));
          choose(distances.indexOf(Math.min(...distances)));
        }}
      >
        {ticks.map((at) => (
          <Line key={at.getTime()} look="tick" x={scale.x(at.getTime())} label={formatTick(at, unit)} />
        ))}
        {periods.map(({ from, to, partner_id }) => (
          <div key={from} class={to === undefined ? 'period' : 'period ended'} style={place(from, to ?? now)}>
            <b>{nameOf(partner_id)}</b>
          </div>
        ))}
        {charges.map(({ event_id, from, to, article_codes, isFirst }) => (
          <span key={event_id} class={isFirst ? 'step' : 'step update'} style={place(from, to ?? now)}>
            {article_codes.join(', ')}
          </span>
        ))}
        {notifications.map(({ event_id, event_at }) => (
          <i key={event_id} class="notification" style={{ left: `${x(event_at)}%` }} />
        ))}
        {words.map(({ at, what }) => (
          <Line key={at} look="what" x={x(at)} label={what} />
        ))}
        {shown && <Line look="chosen" x={x(shown.at)} />}
        <Line look="now" x={x(now)} label={t.today} />
      </div>
      <p class="told" aria-hidden="true">
        {shown?.text ?? t.toldHint}
      </p>
      <figcaption class="fine">{t.zoneSaid(zone)}</figcaption>
    </figure>
  );
}

/** A vertical line at a percentage of the width, and its label, which stays within the drawing. */
function Line({ look, x, label }: { look: string; x: number; label?: string }) {
  return (
    <i class={look} style={{ left: `${x}%` }}>
      <span style={{ translate: `-${x}%` }}>{label}</span>
    </i>
  );
}
