import { type Api } from '../api.js';
import { type Place } from './places.js';

/** What the steps of the coverage tour share. */
export interface Visit {
  /** A network operator, who keeps CANs. */
  ano: Api;
  /** A service provider, who only searches. */
  isp: Api;
  /** Made for this visit, so that it meets no CANs of another. */
  relationId: string;
  places: readonly Place[];
  /** The places by the node_id of their CAN. */
  created: Map<string, Place>;
  signal: AbortSignal;
}
