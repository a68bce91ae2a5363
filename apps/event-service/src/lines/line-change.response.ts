import { ApiExtraModels, ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { LineResponse } from './line.response.js';

class EndedLineResponse extends PickType(LineResponse, ['line_id', 'tenant', 'entity_id', 'partner_id', 'option82', 'partner_reference']) {
  @ApiProperty({
    type: String,
    format: 'date-time',
    example: '2026-02-01T15:00:00.000+00:00',
    description: '`event_at` of the deactivation, or when the operator took its lines away from your tenant.',
  })
  ended_at!: string;
}

class ChangeResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'When it changed.', example: '2026-02-01T16:00:14.305+00:00' })
  changed_at!: string;
}

class LineUpsertedResponse extends ChangeResponse {
  @ApiProperty({ type: String, enum: ['upserted'], description: 'Store the line.' })
  change!: 'upserted';

  @ApiProperty({ type: LineResponse, description: 'The line as it is now.' })
  line!: LineResponse;
}

class LineEndedResponse extends ChangeResponse {
  @ApiProperty({ type: String, enum: ['ended'], description: 'The line no longer runs for you.' })
  change!: 'ended';

  @ApiProperty({ type: EndedLineResponse, description: 'The line, with its last values.' })
  line!: EndedLineResponse;
}

export const LineChangeModels = (): ClassDecorator & MethodDecorator => ApiExtraModels(LineUpsertedResponse, LineEndedResponse);

const mapping = { upserted: getSchemaPath(LineUpsertedResponse), ended: getSchemaPath(LineEndedResponse) };
/** A change to a line. */
export const LINE_CHANGE = {
  title: 'LineChange',
  oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
  discriminator: { propertyName: 'change', mapping },
};
