import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatMoment, formatTick } from '../../../texts.js';
import type { Period, RecordedEvent } from '@fibre/client';
import { type Charge, chargesOf } from '../entity.js';
import { texts } from '../entity-texts.js';
import type { Records } from '../../../ui/form/record-choice.js';
import { ownZone } from '../local-time.js';
import { type Scale, scaleOf, ticksOf } from './timeline-scale.js';

const HEIGHT = 152;
/** Vertical layout: names, bars, notifications, axis, today. */
const [NAME_Y, BAR_Y, BAR_HEIGHT, NOTE_Y, AXIS_Y, LABEL_Y, NOW_Y] = [16, 26, 36, 82, 104, 124, 144];
const TICK_WIDTH = 92;
const MIN_BAR = 3;
/** Approximate width of a letter. */
const LETTER = 7.2;

/** Something that the drawing shows at a moment, as text. */
interface Told {
  readonly at: number;
  readonly text: string;
}

/**
 * Draws the periods, updates and notifications of an entity over time. The pointer or the arrow keys choose one of them, which is then
 * told as text; the tables on the page show the same data.
 */
export function Timeline(props: {
  periods: readonly Period[];
  notifications: readonly RecordedEvent[];
  isps: Records;
  describedBy: string;
}) {
  const t = texts();
  const [box, width] = useWidth();
  const now = Date.now();
  const zone = ownZone();
  const { periods, notifications } = props;
  const all = toldOf(periods, notifications, props.isps, zone);
  const [chosen, choose] = useState<number>();
  const told = chosen === undefined ? undefined : all[chosen];
  const moments = [
    now,
    ...periods.flatMap(({ from, to }) => [Date.parse(from), to === undefined ? now : Date.parse(to)]),
    ...notifications.map(({ event_at }) => Date.parse(event_at)),
  ];
  const scale = scaleOf(moments, width);
  return (
    <figure class="timeline" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="slider"
          tabIndex={0}
          aria-valuemin={1}
          aria-valuemax={all.length}
          aria-valuenow={(chosen ?? 0) + 1}
          aria-valuetext={(told ?? all[0])?.text}
          onFocus={() => choose(chosen ?? 0)}
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (step === undefined) return;
            event.preventDefault();
            choose(Math.min(all.length - 1, Math.max(0, (chosen ?? 0) + step)));
          }}
          onPointerMove={({ currentTarget, clientX }) => {
            const at = clientX - currentTarget.getBoundingClientRect().left;
            const distances = all.map((one) => Math.abs(scale.x(one.at) - at));
            choose(distances.indexOf(Math.min(...distances)));
          }}
          aria-label={t.timelineOf(formatMoment(scale.from, zone), formatMoment(scale.to, zone))}
          aria-describedby={props.describedBy}
        >
          <Axis scale={scale} width={width} />
          {periods.map((period) => (
            <Bar key={period.from} period={period} scale={scale} now={now} isps={props.isps} />
          ))}
          <Notifications notifications={notifications} scale={scale} />
          {told && <line class="chosen" x1={scale.x(told.at)} x2={scale.x(told.at)} y1={BAR_Y - 6} y2={AXIS_Y} />}
          <line class="now" x1={scale.x(now)} x2={scale.x(now)} y1={BAR_Y - 6} y2={AXIS_Y} />
          <text class="today" x={scale.x(now)} y={NOW_Y} text-anchor={anchorAt(scale.x(now), width)}>
            {t.today}
          </text>
        </svg>
      )}
      <p class="told" aria-hidden="true">
        {told?.text ?? t.toldHint}
      </p>
      <figcaption class="fine">
        <Legend />
        <span>{t.zoneSaid(zone)}</span>
      </figcaption>
    </figure>
  );
}

/** Keeps a label within the drawing. */
const anchorAt = (x: number, width: number): 'start' | 'middle' | 'end' =>
  x < TICK_WIDTH / 2 ? 'start' : x > width - TICK_WIDTH / 2 ? 'end' : 'middle';

/** Number of things that a key moves on by. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };

/** All that happened, in order, with its date. */
function toldOf(periods: readonly Period[], notifications: readonly RecordedEvent[], isps: Records, zone: string): Told[] {
  const t = texts();
  const told = (at: string, ...words: readonly (string | null | undefined)[]): Told => ({
    at: Date.parse(at),
    text: [formatMoment(at, zone), ...words].filter(Boolean).join(' · '),
  });
  return [
    ...chargesOf(periods).flatMap(({ from, to, partner_id, article_codes, isFirst, isLast }) => [
      told(from, isFirst ? t.activation : t.update, isps.nameOf.get(partner_id) ?? partner_id, article_codes.join(', ')),
      ...(isLast && to !== undefined ? [told(to, t.deactivation, isps.nameOf.get(partner_id) ?? partner_id)] : []),
    ]),
    ...notifications.map(({ event_at, comment }) => told(event_at, t.notification, comment)),
  ].sort((one, other) => one.at - other.at);
}

function Axis({ scale, width }: { scale: Scale; width: number }) {
  const { ticks, unit } = ticksOf(scale, Math.max(1, Math.floor(width / TICK_WIDTH)));
  return (
    <g class="axis">
      <line x1={0} x2={width} y1={AXIS_Y} y2={AXIS_Y} />
      {ticks.map((at) => {
        const x = scale.x(at.getTime());
        return (
          <g key={at.getTime()}>
            <line x1={x} x2={x} y1={BAR_Y} y2={AXIS_Y + 5} />
            <text x={x} y={LABEL_Y} text-anchor={anchorAt(x, width)}>
              {formatTick(at, unit)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Bar({ period, scale, now, isps }: { period: Period; scale: Scale; now: number; isps: Records }) {
  const { from, to, partner_id } = period;
  const name = isps.nameOf.get(partner_id) ?? partner_id;
  const x = scale.x(Date.parse(from));
  const end = Math.max(scale.x(to === undefined ? Math.max(now, Date.parse(from)) : Date.parse(to)), x + MIN_BAR);
  const charges = chargesOf([period]);
  const starts = distinct(charges.filter(({ isFirst }) => !isFirst).map((charge) => scale.x(Date.parse(charge.from))));
  return (
    <g class="period">
      <Fitting text={name} x={x} y={NAME_Y} width={end - x} class="name" />
      <rect x={x} y={BAR_Y} width={end - x} height={BAR_HEIGHT} />
      {to !== undefined && <rect class="end" x={end - 4} y={BAR_Y - 4} width={4} height={BAR_HEIGHT + 8} />}
      {starts.map((start) => (
        <line key={start} class="update" x1={start} x2={start} y1={BAR_Y - 4} y2={BAR_Y + BAR_HEIGHT} />
      ))}
      {charges.map((charge) => (
        <ChargeText key={charge.event_id} charge={charge} scale={scale} end={end} />
      ))}
    </g>
  );
}

function ChargeText({ charge, scale, end }: { charge: Charge; scale: Scale; end: number }) {
  const x = scale.x(Date.parse(charge.from));
  const until = charge.isLast || charge.to === undefined ? end : scale.x(Date.parse(charge.to));
  return <Fitting text={charge.article_codes.join(', ')} x={x + 8} y={BAR_Y + BAR_HEIGHT / 2 + 5} width={until - x - 14} />;
}

/** Text, cut to fit the available width. */
function Fitting({ text, x, y, width, class: look }: { text: string; x: number; y: number; width: number; class?: string }) {
  // Cut between visible characters, so that an emoji is not cut in half.
  const room = Math.floor(width / LETTER);
  if (room < 3) return null;
  const letters = Array.from(new Intl.Segmenter().segment(text.slice(0, room * 16)), ({ segment }) => segment);
  // Emoji are wider than letters.
  const most = /\p{Extended_Pictographic}/u.test(text) ? Math.floor(room / 3) : room;
  const shown = letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
  return (
    <text class={look} x={x} y={y}>
      {shown}
    </text>
  );
}

function Notifications({ notifications, scale }: { notifications: readonly RecordedEvent[]; scale: Scale }) {
  return (
    <g class="notifications">
      {distinct(notifications.map(({ event_at }) => scale.x(Date.parse(event_at)))).map((x) => (
        <path key={x} d={`M${x} ${NOTE_Y - 8}l7 8l-7 8l-7 -8z`} />
      ))}
    </g>
  );
}

/** At most one line per pixel, even for a thousand steps. */
const distinct = (places: readonly number[]): number[] => [...new Set(places.map((place) => Math.round(place)))];

function Legend() {
  const t = texts();
  return (
    <span class="legend" aria-hidden="true">
      {(
        [
          ['period', t.legendPeriod, <rect x="1" y="3" width="18" height="10" />],
          ['period', t.update, <line class="update" x1="10" x2="10" y1="1" y2="15" />],
          ['period', t.deactivation, <rect class="end" x="8" y="1" width="4" height="14" />],
          ['notifications', t.notification, <path d="M10 1l6 7l-6 7l-6 -7z" />],
          ['', t.today, <line class="now" x1="10" x2="10" y1="0" y2="16" />],
        ] as const
      ).map(([group, label, shape]) => (
        <span key={label}>
          <svg width="20" height="16">
            <g class={group}>{shape}</g>
          </svg>
          {label}
        </span>
      ))}
    </span>
  );
}

/** The width of an element, in pixels. */
function useWidth() {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
