import { Field, type FieldOptions, Satisfies } from '@fibre/dto';

const MAX_DECIMALS = 10;
const COORDINATES = /^(-?\d{1,3})(?:\.(\d+))?, ?(-?\d{1,3})(?:\.(\d+))?$/;
/** The format of a center with its limits, for the OpenAPI document. */
const PATTERN = '^-?(0?90(\\.0{1,10})?|0?[0-8]?[0-9](\\.[0-9]{1,10})?), ?-?(180(\\.0{1,10})?|(1[0-7][0-9]|0?[0-9]{1,2})(\\.[0-9]{1,10})?)$';
const [MAX_LATITUDE, MAX_LONGITUDE] = [90, 180];

/** What is wrong with one of the two numbers of a coordinate. */
export interface CenterFault {
  readonly axis: 'latitude' | 'longitude';
  readonly detail: string;
}

/**
 * A coordinate in decimal degrees (WGS84). Kept as text, so that a client gets back the digits that it sent, but in canonical form: without
 * leading or trailing zeros or a negative zero.
 */
export class Center {
  private constructor(
    readonly latitude: string,
    readonly longitude: string,
  ) {}

  /**
   * Parses `<latitude>, <longitude>` (SPEC section 2.1); the space is optional.
   *
   * @returns an error message if the text is invalid
   */
  static parse(text: unknown): Center | string {
    const match = typeof text === 'string' ? COORDINATES.exec(text) : null;
    if (!match) return "must be '<latitude>, <longitude>' in decimal degrees, such as 48.208555, 16.372966";
    const [, latitude = '', latitudeDecimals = '', longitude = '', longitudeDecimals = ''] = match;
    if (latitudeDecimals.length > MAX_DECIMALS || longitudeDecimals.length > MAX_DECIMALS) return `has more than ${MAX_DECIMALS} decimals`;
    const center = new Center(canonical(latitude, latitudeDecimals), canonical(longitude, longitudeDecimals));
    const fault = outOfRange(Number(center.latitude), Number(center.longitude));
    return fault ? `${fault.axis} ${fault.detail}` : center;
  }

  /** Rounds two numbers to ten decimals (0.01 mm); any further digits come only from the binary representation. */
  static rounded(latitude: number, longitude: number): Center | CenterFault {
    const text = (value: number): string => {
      const [integer = '', decimals = ''] = value.toFixed(MAX_DECIMALS).split('.');
      return canonical(integer, decimals);
    };
    return outOfRange(latitude, longitude) ?? new Center(text(latitude), text(longitude));
  }
}

function canonical(integer: string, decimals: string): string {
  const fraction = decimals.replace(/0+$/, '');
  const text = integer.replace(/^(-?)0+(?=\d)/, '$1') + (fraction && `.${fraction}`);
  return text === '-0' ? '0' : text;
}

function outOfRange(latitude: number, longitude: number): CenterFault | undefined {
  const [latitudeOut, longitudeOut] = [Math.abs(latitude) > MAX_LATITUDE, Math.abs(longitude) > MAX_LONGITUDE];
  if (!latitudeOut && !longitudeOut) return undefined;
  const bound = latitudeOut ? MAX_LATITUDE : MAX_LONGITUDE;
  const swapped = Math.abs(longitude) <= MAX_LATITUDE && Math.abs(latitude) <= MAX_LONGITUDE;
  const detail = `must be between -${bound} and ${bound}${swapped ? '; are latitude and longitude swapped?' : ''}`;
  return { axis: latitudeOut ? 'latitude' : 'longitude', detail };
}

const faultOf = (value: unknown): string | undefined => {
  const center = value instanceof Center ? value : Center.parse(value);
  return typeof center === 'string' ? center : undefined;
};

/** A center in a request, parsed as a {@link Center}. */
export const CenterField = (options: FieldOptions): PropertyDecorator =>
  Field(
    {
      example: '48.208555, 16.372966',
      read: (sent) => {
        const center = Center.parse(sent);
        return center instanceof Center ? center : sent;
      },
      mistakenFor: ['lat', 'lon', 'lng', 'latitude', 'longitude', 'coordinates'],
      ...options,
    },
    { type: String, pattern: PATTERN },
    Satisfies(faultOf),
  );
