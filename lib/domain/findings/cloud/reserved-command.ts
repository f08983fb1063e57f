import type { ReservedInventory } from '@/lib/domain/cloud/reserved'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import type { FindingCommand } from '../finding'

/** osc-placement; `--amend` keeps the rest of the inventory. */
export const releaseCommand = ({ entry, resourceClass }: ReservedInventory): FindingCommand =>
  sh`openstack resource provider inventory set --amend ${shellOption(sh`--resource`, `${resourceClass}:reserved=0`)} ${shellOperands([entry.provider.uuid])}`
