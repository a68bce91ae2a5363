export const OUTSIDE: string[];
export const SPECIFIERS: string[];
