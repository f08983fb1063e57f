import { PageTitle } from '@/components/shell/page-title'
import { EmptyState } from '@/components/ui/states'

/** What a tenant finds at the address of an admin's page: nothing of it, and the way out. */
export const NotForTenants = () => (
  <>
    <PageTitle title="Not available in this project" />
    <EmptyState title="You need the admin or reader role">
      These pages show the whole cloud, which project roles do not allow. The GPU flavors of your project are
      listed in the catalog. If you have another role, use “Switch project” in the account menu. Otherwise,
      ask an admin of the cloud for the reader role on the system.
    </EmptyState>
  </>
)
