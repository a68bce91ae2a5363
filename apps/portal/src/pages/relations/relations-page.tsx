import { ListPage } from '../records/list-page.js';
import { relations } from './relations.js';

export const RelationsPage = () => <ListPage kind={relations} />;
