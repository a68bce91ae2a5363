import { indexMigration } from '@fibre/database';

/** An index for the filter `address_id`, in the order of the listing. */
export const AddressFilter1765152000000 = indexMigration('AddressFilter1765152000000', {
  build: { access_node_address_idx: 'access_node (tenant, collection, address_id, node_id) where address_id is not null' },
});
