import { ApiProperty } from '@nestjs/swagger';

/** A number of records in a response. */
export class CountResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of records: always exact up to 10,000.' })
  count!: number;

  @ApiProperty({ type: Boolean, required: false, enum: [true], description: 'The number is an estimate.' })
  estimated?: true;

  @ApiProperty({
    type: Boolean,
    required: false,
    enum: [true],
    description: 'There are at least so many; the number may be much too low for a minute after many records have been written.',
  })
  at_least?: true;
}

/** Documents a number of records. */
export const CountField = (description: string): PropertyDecorator => ApiProperty({ type: CountResponse, description });
