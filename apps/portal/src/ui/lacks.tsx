import { useApp, useScope } from '../session/context.js';
import type { Scope } from '../configuration.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts(
  { lacks: (scope: string) => `You can look at this but not change it. Ask your administrator for the permission ${scope}.` },
  { lacks: (scope: string) => `Sie können das ansehen, aber nicht ändern. Bitten Sie Ihren Administrator um die Berechtigung ${scope}.` },
);

/** Says which scope the person lacks to change what stands beside it; nothing when it is there. */
export function Lacks({ scope }: { scope: Scope }) {
  const { configuration } = useApp();
  return useScope(scope) ? null : <p class="lacks">{texts().lacks(configuration.scopes[scope])}</p>;
}
