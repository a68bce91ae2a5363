import { getMetadataStorage } from 'class-validator';

type RulesOf = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];

// Each time class-validator validates an object, it searches the rules of all classes for those that the object's class inherits, also for
// each row of an import. The rules of a class do not change after its definition, so they are searched once.
const storage = getMetadataStorage();
const search: RulesOf = storage.getTargetValidationMetadatas.bind(storage);
const found = new WeakMap<object, ReturnType<RulesOf>>();

storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
  const isPlain = !schema && !always && !strictGroups && !groups;
  if (!isPlain) return search(type, schema, always, strictGroups, groups);
  let rules = found.get(type);
  if (!rules) found.set(type, (rules = search(type, schema, always, strictGroups, groups)));
  return rules;
};
