import { RecordPage } from '../records/record-page.js';
import { isps } from './isps.js';

export const IspPage = () => <RecordPage kind={isps} />;
