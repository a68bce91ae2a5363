import { storedChoice } from './stored-choice.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = storedChoice<Theme>('theme', THEMES, 'system');
