import * as z from 'zod'
import type { RowSchema } from '../database/row'

/** For tests and tools: a row as the statement returns it, unparsed. */
export const anyRow = <Row>(): RowSchema<Row> => z.custom<Row>()
