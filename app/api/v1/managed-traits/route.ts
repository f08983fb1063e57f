import { managedTraitScopeSchema } from '@/lib/schemas/api/managed-trait-inputs'
import { route } from '@/lib/server/http/route'
import { listManagedTraits } from '@/lib/services/managed-trait/list-managed-traits'

export const dynamic = 'force-dynamic'

export const GET = route({ query: managedTraitScopeSchema }, ({ ctx, query }) =>
  listManagedTraits(ctx, query),
)
