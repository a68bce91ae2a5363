import { useApp, useScope } from '../session/context.js';
import type { Scope } from '../configuration.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts(
  { lacks: (scope: string) => `Your account lacks the permission ${scope}.` },
  { lacks: (scope: string) => `Ihrem Konto fehlt die Berechtigung ${scope}.` },
);

/** Says which scope the person lacks for what stands beside it; nothing when it is there. */
export function Lacks({ scope }: { scope: Scope }) {
  const { configuration } = useApp();
  return useScope(scope) ? null : <p class="lacks">{texts().lacks(configuration.scopes[scope])}</p>;
}
