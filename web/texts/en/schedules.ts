export const schedules = 'Schedules'
export const crawlsThatRepeatAtSetTimes =
  'Crawls that repeat at set times. To add one, open a crawl and choose Repeat, the calendar beside its title.'
export const noSchedulesYet = 'No schedules yet'
export const openACrawlThatDoesWhatYouWant =
  'Open a crawl that does what you want, and choose Repeat. It then repeats at the times that you set.'
export const openTheCrawlLogs = 'Open the crawl logs'
export const loadingSchedules = 'Loading schedules'
export const theSchedulesCouldNotBeLoaded = 'The schedules could not be loaded'
export const nothingIsLostTheyAreLoaded = 'Nothing is lost; they are loaded as soon as the server answers.'
export const name = 'Name'
export const when = 'When'
export const nextCrawl = 'Next crawl'
export const nextInACard = 'Next:'
export const lastCrawl = 'Last crawl'
export const active = 'Active'
export const paused = 'Paused'
export const noneYet = 'None yet'
export const andMore = (more: string) => `and ${more} more`
export const isActive = (name: string) => `${name}: active`
export const showCrawlsOf = (name: string) => `Show crawls of ${name}`
export const runNow = (name: string) => `Run ${name} now`
export const edit = (name: string) => `Edit ${name}`
export const deleteNamed = (name: string) => `Delete ${name}`
export const theCrawlHasStarted = 'The crawl has started'
export const failedToStartTheCrawl = (reason: string) => `The crawl was not started. ${reason}`
export const omittedBecauseInProgress = (at: string) => `The crawl of ${at} was omitted, because the one before was still in progress.`
export const didNotStart = (at: string, reason: string) => `The crawl of ${at} did not start. ${reason}`
export const deleteQuestion = (name: string) => `Delete “${name}”?`
export const deleteSchedule = 'Delete schedule'
export const crawlsThatItHasStartedStay = 'The crawl is not repeated any more. Crawls that it has started stay.'
export const scheduleDeleted = 'Schedule deleted'
export const failedToDeleteTheSchedule = (reason: string) => `Failed to delete the schedule. ${reason}`
export const repeatThisCrawl = 'Repeat this crawl'
export const editSchedule = 'Edit schedule'
export const createSchedule = 'Create schedule'
export const save = 'Save'
export const saving = 'Saving…'
export const scheduleCreated = 'Schedule created'
export const showAllSchedules = 'Show all schedules'
export const scheduleChanged = 'Schedule changed'
export const failedToCreateTheSchedule = (reason: string) => `Failed to create the schedule. ${reason}`
export const failedToChangeTheSchedule = (reason: string) => `Failed to change the schedule. ${reason}`
export const howOften = 'How often'
export const everyHour = 'Every hour'
export const everyDay = 'Every day'
export const everyWeek = 'Every week'
export const everyMonth = 'Every month'
export const ownCronExpression = 'Own cron expression'
export const minuteOfTheHour = 'Minute'
export const weekday = 'Weekday'
export const dayOfTheMonth = 'Day of the month'
export const monthsWithoutThisDay = 'Months without this day are omitted.'
export const time = 'Time'
export const cronExpression = 'Cron expression'
export const minuteHourDayOfMonth = 'Minute, hour, day of month, month, day of week.'
export const timeZone = 'Time zone'
export const nextCrawls = 'Next crawls'
export const noTimes = 'None, until the error above is corrected.'
export const theTimesCouldNotBeLoaded = (reason: string) => `The times could not be loaded. ${reason}`
export const reportChangesByMail = 'Report changes by mail'
export const ifPagesWereAdded = 'If pages were added, changed or removed, or if a crawl failed or was refused.'
export const thisServerSendsNoMails = 'This server sends no mail: its administrator has to set up a mail server first.'
export const nameIsRequired = 'Name is required'
export const enterAMinute = 'Enter a number from 0 to 59'
export const enterATime = 'Enter a time'
export const enterACronExpression = 'Enter a cron expression'
export const everyHourAtMinute = (minute: number) => `Every hour at minute ${minute}`
export const everyDayAt = (time: string) => `Every day at ${time}`
export const everyWeekdayAt = (weekday: string, time: string) => `Every ${weekday} at ${time}`
export const everyMonthAt = (day: string, time: string) => `Day ${day} of each month at ${time}`
export const scheduleNamed = (name: string) => `Schedule: ${name}`
export const deletedSchedule = 'deleted'
export const removeThisFilter = 'Remove this filter'
