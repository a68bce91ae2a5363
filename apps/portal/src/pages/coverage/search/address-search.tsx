import type { PublishedRelation } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useApp, useScope } from '../../../session/context.js';
import { TextField } from '../../../ui/form/field.js';
import { Form, useForm } from '../../../ui/form/form.js';
import { Section } from '../../../ui/page.js';
import { placeOf, searchFilters } from '../access-node.js';
import { useCoverage } from '../coverage-state.js';
import { texts } from '../coverage-texts.js';
import { type FoundNode, Results } from './results.js';

/** The search for an address by its id in the register. */
export function AddressSearch({ relations }: { relations: ReadonlyMap<string, PublishedRelation> | undefined }) {
  const t = texts();
  const { fibre } = useApp();
  const { filters, draw } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [found, setFound] = useState<readonly FoundNode[]>();
  const form = useForm({
    initial: { address_id: '' },
    required: ['address_id'],
    isLasting: false,
    save: async ({ address_id }) => {
      const nodes = await fibre.coverage.searchAddress(address_id.trim(), searchFilters(filters));
      setFound(nodes);
      if (nodes.length > 0) draw({ found: nodes.map(({ center }) => ({ ...placeOf(center), quality: '' })) });
    },
  });
  return (
    <Section title={t.atAddress}>
      <Form form={form} submitLabel={t.searchAddress} isOff={!maySearch}>
        <TextField {...form.field('address_id')} label={t.address_id} hint={t.addressHint} />
      </Form>
      {found && <Results label={t.atAddress} found={found} none={t.foundNoneAtAddress} relations={relations} />}
    </Section>
  );
}
