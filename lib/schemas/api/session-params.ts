import * as z from 'zod/mini'
import { rowIdSchema } from './agent-inputs'

/** Apart from what pages load with every visit: numbers in paths are the server's to read. */
export const sessionParamsSchema = z.object({ id: rowIdSchema })
