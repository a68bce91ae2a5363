/** The members of a record that are set, with the others absent instead of `null`. */
export type SetMembers<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: Exclude<Row[Name], null>;
};

/** Leaves out what a record does not have; responses contain no `null`. */
export const withoutUnset = <Row extends object>(row: Row): SetMembers<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as SetMembers<Row>;
