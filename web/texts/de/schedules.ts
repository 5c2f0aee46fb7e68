export const schedules = 'Zeitpläne'
export const crawlsThatRepeatAtSetTimes =
  'Crawls, die zu festen Zeiten wiederholt werden. Um einen Zeitplan anzulegen, öffne einen Crawl und wähle „Wiederholen“, den Kalender neben seinem Titel.'
export const noSchedulesYet = 'Noch keine Zeitpläne'
export const openACrawlThatDoesWhatYouWant =
  'Öffne einen Crawl, der tut, was du willst, und wähle „Wiederholen“. Er wird dann zu den Zeiten wiederholt, die du festlegst.'
export const openTheCrawlLogs = 'Zu den Crawls'
export const loadingSchedules = 'Zeitpläne werden geladen'
export const theSchedulesCouldNotBeLoaded = 'Die Zeitpläne konnten nicht geladen werden'
export const nothingIsLostTheyAreLoaded = 'Nichts ist verloren; sie werden geladen, sobald der Server antwortet.'
export const name = 'Name'
export const when = 'Wann'
export const nextCrawl = 'Nächster Crawl'
export const nextInACard = 'Nächster:'
export const lastCrawl = 'Letzter Crawl'
export const active = 'Aktiv'
export const paused = 'Pausiert'
export const noneYet = 'Noch keiner'
export const andMore = (more: string) => `und ${more} weitere`
export const isActive = (name: string) => `${name}: aktiv`
export const showCrawlsOf = (name: string) => `Crawls von ${name} zeigen`
export const runNow = (name: string) => `${name} jetzt starten`
export const edit = (name: string) => `${name} bearbeiten`
export const deleteNamed = (name: string) => `${name} löschen`
export const theCrawlHasStarted = 'Der Crawl ist gestartet'
export const failedToStartTheCrawl = (reason: string) => `Der Crawl wurde nicht gestartet. ${reason}`
export const omittedBecauseInProgress = (at: string) => `Der Crawl vom ${at} fiel aus, weil der vorige noch lief.`
export const didNotStart = (at: string, reason: string) => `Der Crawl vom ${at} wurde nicht gestartet. ${reason}`
export const deleteQuestion = (name: string) => `„${name}“ löschen?`
export const deleteSchedule = 'Zeitplan löschen'
export const crawlsThatItHasStartedStay = 'Der Crawl wird nicht mehr wiederholt. Crawls, die der Zeitplan gestartet hat, bleiben.'
export const scheduleDeleted = 'Zeitplan gelöscht'
export const failedToDeleteTheSchedule = (reason: string) => `Der Zeitplan konnte nicht gelöscht werden. ${reason}`
export const repeatThisCrawl = 'Diesen Crawl wiederholen'
export const editSchedule = 'Zeitplan bearbeiten'
export const createSchedule = 'Zeitplan anlegen'
export const save = 'Speichern'
export const saving = 'Wird gespeichert …'
export const scheduleCreated = 'Zeitplan angelegt'
export const showAllSchedules = 'Alle Zeitpläne zeigen'
export const scheduleChanged = 'Zeitplan geändert'
export const failedToCreateTheSchedule = (reason: string) => `Der Zeitplan konnte nicht angelegt werden. ${reason}`
export const failedToChangeTheSchedule = (reason: string) => `Der Zeitplan konnte nicht geändert werden. ${reason}`
export const howOften = 'Wie oft'
export const everyHour = 'Jede Stunde'
export const everyDay = 'Jeden Tag'
export const everyWeek = 'Jede Woche'
export const everyMonth = 'Jeden Monat'
export const ownCronExpression = 'Eigener Cron-Ausdruck'
export const minuteOfTheHour = 'Minute'
export const weekday = 'Wochentag'
export const dayOfTheMonth = 'Tag des Monats'
export const monthsWithoutThisDay = 'Monate ohne diesen Tag werden ausgelassen.'
export const time = 'Uhrzeit'
export const cronExpression = 'Cron-Ausdruck'
export const minuteHourDayOfMonth = 'Minute, Stunde, Tag des Monats, Monat, Wochentag.'
export const timeZone = 'Zeitzone'
export const nextCrawls = 'Nächste Crawls'
export const noTimes = 'Keine, bis der Fehler oben behoben ist.'
export const theTimesCouldNotBeLoaded = (reason: string) => `Die Zeiten konnten nicht geladen werden. ${reason}`
export const reportChangesByMail = 'Änderungen per E-Mail melden'
export const ifPagesWereAdded = 'Wenn Seiten neu, geändert oder entfernt sind, oder wenn ein Crawl fehlgeschlagen ist oder abgelehnt wurde.'
export const thisServerSendsNoMails = 'Dieser Server verschickt keine E-Mails: Sein Administrator muss erst einen Mailserver einrichten.'
export const nameIsRequired = 'Name fehlt'
export const enterAMinute = 'Gib eine Zahl von 0 bis 59 ein'
export const enterATime = 'Gib eine Uhrzeit ein'
export const enterACronExpression = 'Gib einen Cron-Ausdruck ein'
export const everyHourAtMinute = (minute: number) => `Jede Stunde zur Minute ${minute}`
export const everyDayAt = (time: string) => `Jeden Tag um ${time} Uhr`
export const everyWeekdayAt = (weekday: string, time: string) => `Jeden ${weekday} um ${time} Uhr`
export const everyMonthAt = (day: string, time: string) => `Am ${day}. jedes Monats um ${time} Uhr`
export const scheduleNamed = (name: string) => `Zeitplan: ${name}`
export const deletedSchedule = 'gelöscht'
export const removeThisFilter = 'Filter entfernen'
