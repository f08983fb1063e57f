/** Why a passthrough GPU is stranded that Nova reserved until an external cleaner releases it (`one_time_use`). */
export const WAITING_FOR_CLEANING = 'waiting for cleaning: Nova keeps it reserved after use'
