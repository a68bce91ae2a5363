import { IntegerParameter } from '@fibre/dto';
import { TimezoneField } from '../timeline/period-window.js';
import { DEFAULT_TIMEZONE } from '../timeline/event-time.js';

const [MOST_MONTHS, MONTHS] = [36, 12];

export class TrendQuery {
  @IntegerParameter(1, MOST_MONTHS, { description: 'Number of months up to the current one.', presence: 'if-present', default: MONTHS })
  months: number = MONTHS;

  @TimezoneField('if-present')
  timezone: string = DEFAULT_TIMEZONE;
}
