import { effect } from '@preact/signals';
import { storedChoice } from './stored-choice.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const { choice, choose } = storedChoice<Theme>('theme', THEMES, () => 'system');
export const theme = choice;
export const chooseTheme = choose;

/** Passes the theme to the style sheet. `system` means no choice: `color-scheme` follows the system. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}
