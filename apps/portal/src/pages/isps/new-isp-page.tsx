import { NewPage } from '../records/new-page.js';
import { isps } from './isps.js';

export const NewIspPage = () => <NewPage kind={isps} />;
