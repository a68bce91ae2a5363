/** The constraint that holds when only one of the two is changed; see the initial migration. */
export const UNITS_CHECK = 'access_node_units_check';

/** Units of a node, and how many of them are connected. */
export interface Units {
  readonly units?: number | null;
  readonly units_connected?: number | null;
}

/** What is wrong with the two numbers together. Both are named, because either may be the wrong one. */
export function unitsFaults({ units, units_connected: connected }: Units): { field: keyof Units; detail: string }[] {
  if (connected == null || (units != null && connected <= units)) return [];
  if (units == null)
    return [
      { field: 'units_connected', detail: `is ${connected}, but the node has no units` },
      { field: 'units', detail: 'is required with units_connected' },
    ];
  return [
    { field: 'units_connected', detail: `must not be more than units, which is ${units}` },
    { field: 'units', detail: `must not be less than units_connected, which is ${connected}` },
  ];
}
