import { EnumField, Field, IntegerParameter } from '@fibre/dto';
import { IsNumber, Max, Min } from 'class-validator';
import { type Status, STATUSES, type Token, TOKENS } from '../access-nodes/access-node.js';
import { TechnologyField } from '../access-nodes/access-node.requests.js';
import { type Center, CenterField } from '../geography/center.js';

/** Metres. */
const [DEFAULT_RADIUS, MAX_RADIUS] = [100, 100_000];
const [DEFAULT_LIMIT, MAX_LIMIT] = [5, 10];
/** A number as JSON has it, for that is how programs write a very small one; more digits than these tell less than an atom. */
const METRES = /^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i;

const RADIUS_RULE = { message: `has to be a number of metres from 0 to ${MAX_RADIUS}` };
const toMetres = (sent: unknown): unknown => (typeof sent === 'string' && METRES.test(sent) ? Number(sent) : sent);

export class SearchQuery {
  @CenterField({ description: 'Where to search: `<latitude>, <longitude>` in decimal degrees (WGS84).' })
  center!: Center;

  @Field(
    { description: 'Radius in metres, inclusive.', presence: 'if-present', default: DEFAULT_RADIUS, read: toMetres },
    { type: Number, minimum: 0, maximum: MAX_RADIUS },
    IsNumber({}, RADIUS_RULE),
    Min(0, RADIUS_RULE),
    Max(MAX_RADIUS, RADIUS_RULE),
  )
  search_radius: number = DEFAULT_RADIUS;

  @IntegerParameter(1, MAX_LIMIT, { description: 'Most results.', presence: 'if-present', default: DEFAULT_LIMIT })
  limit: number = DEFAULT_LIMIT;

  @EnumField(TOKENS, { description: 'Nodes in this stage.', presence: 'if-present' })
  token?: Token;

  @TechnologyField({ description: 'Nodes of this technology, compared without case.', presence: 'if-present' })
  technology?: string;

  @EnumField(STATUSES, { description: 'Nodes in this status.', presence: 'if-present' })
  status?: Status;
}
