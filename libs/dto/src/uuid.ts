/** 32 hexadecimal digits in the format of RFC 9562 section 4. */
export const hexToUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
