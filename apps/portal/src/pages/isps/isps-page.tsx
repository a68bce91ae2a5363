import { ListPage } from '../records/list-page.js';
import { isps } from './isps.js';

export const IspsPage = () => <ListPage kind={isps} />;
