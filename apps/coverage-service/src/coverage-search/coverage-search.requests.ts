import { Check, Convert, EnumField, Field, IntegerField, TextField } from '@fibre/dto';
import { STATUSES, TOKENS } from '../access-nodes/access-node.requests.js';
import { parseCenter } from '../geography/center.js';

/** Metres. */
const [DEFAULT_RADIUS, MAX_RADIUS] = [100, 100_000];
const [DEFAULT_LIMIT, MAX_LIMIT] = [5, 10];
const METRES = /^\d{1,6}(\.\d{1,10})?$/;

const toMetres = (value: unknown): unknown => (typeof value === 'string' && METRES.test(value) ? Number(value) : value);

export class SearchQuery {
  @Field(
    { description: 'Where to search: `<latitude>, <longitude>` in decimal degrees (WGS84).', example: '48.208555, 16.372966' },
    { type: String },
    Check((value) => {
      const center = parseCenter(value);
      return typeof center === 'string' ? center : undefined;
    }),
  )
  center!: string;

  @Field(
    { description: 'Radius in metres, inclusive.', presence: 'if-present', default: DEFAULT_RADIUS },
    { type: Number, minimum: 0, maximum: MAX_RADIUS },
    Convert(toMetres),
    Check((value) =>
      typeof value === 'number' && value <= MAX_RADIUS ? undefined : `has to be a number of metres from 0 to ${MAX_RADIUS}`,
    ),
  )
  search_radius: number = DEFAULT_RADIUS;

  @IntegerField(1, MAX_LIMIT, { description: 'Most results.', presence: 'if-present', default: DEFAULT_LIMIT })
  limit: number = DEFAULT_LIMIT;

  @EnumField(TOKENS, { description: 'Nodes in this stage.', presence: 'if-present' })
  token?: string;

  @TextField(1, 64, { description: 'Nodes of this technology, compared without case.', presence: 'if-present' })
  technology?: string;

  @EnumField(STATUSES, { description: 'Nodes in this status.', presence: 'if-present' })
  status?: string;
}
