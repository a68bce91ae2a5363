import { NewPage } from '../records/new-page.js';
import { relations } from './relations.js';

export const NewRelationPage = () => <NewPage kind={relations} />;
