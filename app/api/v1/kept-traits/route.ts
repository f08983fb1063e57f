import { managedTraitScopeSchema } from '@/lib/schemas/api/kept-trait-inputs'
import { route } from '@/lib/server/http/route'
import { listKeptTraits } from '@/lib/services/kept-trait/list-kept-traits'

export const dynamic = 'force-dynamic'

export const GET = route({ query: managedTraitScopeSchema }, ({ ctx, query }) => listKeptTraits(ctx, query))
