import { randomUUID } from 'node:crypto';

const RELATIONS = 20;
const STREETS = ['Haupt', 'Bahnhof', 'Schul', 'Kirchen', 'Dorf', 'Linden', 'Garten', 'Wald', 'Berg', 'Feld'];
const TOWNS = ['Wien', 'Graz', 'Linz', 'Salzburg', 'Innsbruck', 'Klagenfurt am Wörthersee', 'Villach', 'Wels', 'St. Pölten', 'Dornbirn'];

/** A CSV file of this many new nodes, with an address for each if it has addresses. */
export const fileOfNodes = (nodes: number, hasAddresses = false): ReadableStream<Uint8Array> =>
  ReadableStream.from(rowsOf(nodes, hasAddresses));

function* rowsOf(nodes: number, hasAddresses: boolean): Generator<Uint8Array> {
  const relations = Array.from({ length: RELATIONS }, () => randomUUID());
  yield Buffer.from(`relation_id,token,latitude,longitude,technology,address_id,customer_reference${hasAddresses ? ',address' : ''}\n`);
  for (let row = 0; row < nodes; row += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, nodes - row) }, (_, index) => {
      const [number, latitude, longitude] = [row + index, 47 + Math.random(), 10 + Math.random() * 5];
      const address = hasAddresses ? `,"${addressOf(number)}"` : '';
      return `${relations[number % RELATIONS]},planned,${latitude.toFixed(6)},${longitude.toFixed(6)},ftth,${5_000_000 + number},ref${number}${address}\n`;
    });
    yield Buffer.from(lines.join(''));
  }
}

/** Like `Gartenstraße 17/4, 4217 Linz`; a few words are in many addresses, and each street and number in few. */
const addressOf = (number: number): string =>
  `${STREETS[number % 10]}${STREETS[Math.floor(number / 10) % 10]!.toLowerCase()}straße ${1 + (Math.floor(number / 100) % 90)}/${1 + (number % 12)}, ${1_000 + (number % 8_999)} ${TOWNS[number % 7]}`;
