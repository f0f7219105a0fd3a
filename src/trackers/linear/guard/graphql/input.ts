import { z } from 'zod';
import { longText } from '../../../../tools/text-inputs.ts';

export const GraphqlInput = z.strictObject({
  query: longText.describe('One GraphQL operation: a query or a mutation.'),
  variables: z.record(z.string(), z.unknown()).nullish().describe('Values of the variables.'),
});
