import { indexMigration } from '@fibre/database';

/** An index for the `option82` filter, in the order of the listing. */
export const TimelineOption821765065600000 = indexMigration('TimelineOption821765065600000', {
  build: { timeline_option82_idx: 'timeline (tenant, namespace_id, option82, entity_id) where option82 is not null' },
});
