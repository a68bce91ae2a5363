import { useApp, useScope } from '../session/context.js';
import type { Scope } from '../configuration.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts({
  lacks: [
    (scope: string) => `You can look at this but not change it. Ask your administrator for the permission ${scope}.`,
    (scope) => `Sie können das ansehen, aber nicht ändern. Bitten Sie Ihren Administrator um die Berechtigung ${scope}.`,
  ],
});

/** Names the scope that the person lacks to change this; nothing if they have it. */
export function Lacks({ scope }: { scope: Scope }) {
  const { configuration } = useApp();
  return useScope(scope) ? null : <p class="lacks">{texts().lacks(configuration.scopes[scope])}</p>;
}
