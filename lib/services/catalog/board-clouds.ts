import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

const LIST = "SELECT id, name, region FROM cloud WHERE name = ANY(string_to_array($1, E'\\n'))"

/** The clouds whose tenants sign in here. */
export const boardClouds = ({ database, accounts }: Pick<Runtime, 'database' | 'accounts'>) =>
  database.query(LIST, [accounts.map(({ cloud }) => cloud).join('\n')], uncheckedRow<Cloud>())
