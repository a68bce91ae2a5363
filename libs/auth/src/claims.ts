/** The claims of a token whose signature has been verified. */
export type Claims = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The claim with this name, or the member at this path, such as `realm_access.roles`. Names may contain dots themselves. */
export function claimAt(claims: unknown, path: string): unknown {
  if (!isObject(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    const found = Object.hasOwn(claims, name) ? claimAt(claims[name], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names in a claim: a text is one name, an array lists names, and an object has an object for each name, as Zitadel sends roles. */
export function namesIn(claim: unknown): string[] {
  if (isObject(claim)) return Object.keys(claim).filter((name) => isObject(claim[name]));
  return (Array.isArray(claim) ? claim : [claim]).filter((name) => typeof name === 'string');
}
