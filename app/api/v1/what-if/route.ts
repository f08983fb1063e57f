import { whatIfInputSchema } from '@/lib/schemas/api/what-if-inputs'
import { route } from '@/lib/server/http/route'
import { tryWhatIf } from '@/lib/services/what-if/try-what-if'

export const dynamic = 'force-dynamic'

export const POST = route({ body: whatIfInputSchema }, ({ ctx, body }) => tryWhatIf(ctx, body))
