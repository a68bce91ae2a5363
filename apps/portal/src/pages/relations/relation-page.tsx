import { RecordPage } from '../records/record-page.js';
import { relations } from './relations.js';

export const RelationPage = () => <RecordPage kind={relations} />;
