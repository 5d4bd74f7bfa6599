/** Number words, folded: those that count by themselves, and those that a number stands before. */
const ONES =
  "صفر واحد واحده اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي ثلاث ثلاثه اربع اربعه خمس خمسه ست سته سبع سبعه ثمان ثماني ثمانيه تسع تسعه عشر عشره احد احدي";
const TENS = "عشرون عشرين ثلاثون ثلاثين اربعون اربعين خمسون خمسين ستون ستين سبعون سبعين ثمانون ثمانين تسعون تسعين";
const HUNDREDS =
  "ميه مايه مئه ميتا ميتي ميتان ميتين مايتا مايتي مايتان مايتين ثلاثميه ثلاثمايه اربعميه اربعمايه خمسميه خمسمايه ستميه ستمايه سبعميه سبعمايه ثمانميه ثمانمايه ثمانيميه تسعميه تسعمايه";
const SCALES =
  "الف الفا الفان الفي الفين الاف مليون مليونا مليونان مليوني مليونين ملايين مليار مليارا ملياران ملياري مليارين مليارات بليون تريليون تريليونا تريليوني تريليونات";
const SHARES = "نصف النصف ربع الربع ثلث الثلث";
const MANY = "عشرات ميات مئات الاف الالاف ملايين الملايين مليارات المليارات";

const setOf = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(" ")));

/** A word that is, or begins, a number. */
export const NUMBERS = setOf(ONES, TENS, HUNDREDS, SCALES, MANY);

/** A word that goes on a number after و. */
export const JOINED = setOf(ONES, TENS, HUNDREDS, SCALES, SHARES);

/** A word that multiplies the number before it. */
export const MULTIPLES = setOf(SCALES, HUNDREDS, "عشر عشره", MANY);
