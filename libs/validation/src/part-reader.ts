import { membersOf, type Reading } from '@fibre/dto';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

type Passes = (request: object, value: unknown) => boolean;

/**
 * Reads many values of one request class by the very rules of `readPart`: the readers and validators that stand on its members. It only tells
 * whether all of them pass, which is a fraction of the work that class-validator does; `readPart` then says what is wrong with a bad one.
 */
export class PartReader<T extends object> {
  private readonly members: ReadonlyMap<string, Reading>;
  private readonly rules: readonly (readonly [member: string, passes: Passes])[];

  constructor(private readonly type: Type<T>) {
    this.members = membersOf(type);
    this.rules = rulesOf(type);
  }

  /** @returns `undefined` when something is wrong with it */
  read(sent: Readonly<Record<string, unknown>>): T | undefined {
    const request = new this.type() as Record<string, unknown>;
    for (const name of Object.keys(sent)) {
      const reading = this.members.get(name);
      if (!reading || reading.nested) return undefined;
      request[name] = reading.read ? reading.read(sent[name]) : sent[name];
    }
    for (const [member, passes] of this.rules) if (!passes(request, request[member])) return undefined;
    return request as T;
  }
}

/** One rule for each member: it passes when a condition does not hold (`IsOptional`), or when every validator does. */
function rulesOf(type: Type<object>): [string, Passes][] {
  const storage = getMetadataStorage();
  const byMember = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  return Object.entries(byMember).map(([member, metadatas]) => {
    const conditions = metadatas
      .filter((metadata) => metadata.type === 'conditionalValidation')
      .map((metadata) => (metadata.constraints as [(request: object, value: unknown) => boolean])[0]);
    const validators = metadatas
      .filter((metadata) => metadata.constraintCls !== undefined)
      .flatMap((metadata) =>
        storage
          .getTargetValidatorConstraints(metadata.constraintCls)
          .map(({ instance }) => ({ instance, constraints: metadata.constraints as unknown[] })),
      );
    const passes: Passes = (request, value) => {
      for (const holds of conditions) if (!holds(request, value)) return true;
      for (const { instance, constraints } of validators)
        if (instance.validate(value, { value, constraints, targetName: type.name, object: request, property: member }) !== true)
          return false;
      return true;
    };
    return [member, passes];
  });
}
