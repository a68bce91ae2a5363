// `npm run sentences`: prints every sentence that a client can get from a service, and every one of `fibre`, by file, so that they can be
// read aloud in ten minutes. A sentence is a text of at least three words in the code that is neither SQL nor a part of the OpenAPI documents.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const FILES = ['apps/*-service/src/*.ts', 'libs/*/src/*.ts', ':!libs/testing', ':!libs/embedded-postgres', ':!*.spec.ts', ':!*.sql.ts'];
const OTHERS = /migrations|generated|\.openapi\.ts|\/openapi\//;
/** Calls and members whose texts are documentation, not answers. */
const DOCUMENTED = /^(Api\w*|\w*Field|Field|Paginated|sql|statement|raw|description|summary|title|example)$/;
const WORDS = /[A-Za-z’']+ [^ ]+ [^ ]+/;
const SQL = /^\s*;?\s*(select|set|delete from|do|if not exists|copy|format|not exists|to_regclass)\b|::|\(write_time|now\(\)/;

const nameOf = (node) =>
  ts.isCallExpression(node)
    ? node.expression.getText()
    : ts.isTaggedTemplateExpression(node)
      ? (ts.isCallExpression(node.tag) ? node.tag.expression : node.tag).getText()
      : ts.isPropertyAssignment(node)
        ? node.name.getText()
        : ts.isDecorator(node) && ts.isCallExpression(node.expression)
          ? node.expression.expression.getText()
          : '';

/** The literals of a file that can be sentences, with `...` for what the code fills in. */
function sentencesOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (DOCUMENTED.test(nameOf(node))) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join(''));
      node.templateSpans.forEach(({ expression }) => visit(expression));
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return [...new Set(found)].filter((text) => WORDS.test(text) && !SQL.test(text));
}

const files = execFileSync('git', ['ls-files', ...FILES], { encoding: 'utf8' }).split('\n');
for (const file of files.filter((name) => name !== '' && !OTHERS.test(name))) {
  const sentences = sentencesOf(file);
  if (sentences.length > 0) console.log(`\n${file}\n${sentences.map((text) => `  ${text.trim().replaceAll('\n', '\n  ')}`).join('\n')}`);
}
